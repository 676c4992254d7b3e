// Includes all of pyrepr, which prints torch and C++ values as Python does, except ivalue.h and
// module.h: these include large LibTorch headers.
#pragma once

#include <torchbook/pyrepr/composition.h>
#include <torchbook/pyrepr/containers.h>
#include <torchbook/pyrepr/describe.h>
#include <torchbook/pyrepr/f_string.h>
#include <torchbook/pyrepr/fmt.h>
#include <torchbook/pyrepr/options.h>
#include <torchbook/pyrepr/print.h>
#include <torchbook/pyrepr/printer.h>
#include <torchbook/pyrepr/python.h>
#include <torchbook/pyrepr/return_type.h>
#include <torchbook/pyrepr/size.h>
#include <torchbook/pyrepr/stream.h>
#include <torchbook/pyrepr/tensor.h>
#include <torchbook/pyrepr/torch_containers.h>
#include <torchbook/pyrepr/torch_values.h>
#include <torchbook/pyrepr/version.h>
