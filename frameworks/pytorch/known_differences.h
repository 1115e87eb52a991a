// What torch.compile may do differently, by PyTorch's own documentation and messages.
#ifndef REPRISE_FRAMEWORKS_PYTORCH_KNOWN_DIFFERENCES_H_
#define REPRISE_FRAMEWORKS_PYTORCH_KNOWN_DIFFERENCES_H_

#include "frameworks/known_differences.h"

namespace reprise {

const KnownDifferences& PyTorchKnownDifferences();

}  // namespace reprise

#endif  // REPRISE_FRAMEWORKS_PYTORCH_KNOWN_DIFFERENCES_H_
