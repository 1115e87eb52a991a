#ifndef REPRISE_FRAMEWORKS_PYTORCH_DIALECT_H_
#define REPRISE_FRAMEWORKS_PYTORCH_DIALECT_H_

#include "frameworks/dialect.h"

namespace reprise {

// Every row of the tables as a PyTorch programmer writes it.
// How each operator is written.
std::map<std::string, OpTemplate> PyTorchOperators();
std::map<std::string, OpTemplate> PyTorchArrayOperators();  // its part for op_table_arrays.cc

Dialect PyTorchDialect(Numbers numbers);

}  // namespace reprise

#endif  // REPRISE_FRAMEWORKS_PYTORCH_DIALECT_H_
