#ifndef REPRISE_FRAMEWORKS_MOCK_MOCK_H_
#define REPRISE_FRAMEWORKS_MOCK_MOCK_H_

#include "frameworks/framework.h"

namespace reprise {

// The toy compiler in mk/, whose faults can be planted by name. Everything above frameworks/ is
// tested with it.
const Framework* Mock();

}  // namespace reprise

#endif  // REPRISE_FRAMEWORKS_MOCK_MOCK_H_
