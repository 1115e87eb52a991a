#ifndef REPRISE_FRAMEWORKS_PYTORCH_PYTORCH_H_
#define REPRISE_FRAMEWORKS_PYTORCH_PYTORCH_H_

#include "frameworks/framework.h"

namespace reprise {

// torch.compile of the pinned release; see requirements.txt beside this file.
const Framework* PyTorch();

}  // namespace reprise

#endif  // REPRISE_FRAMEWORKS_PYTORCH_PYTORCH_H_
