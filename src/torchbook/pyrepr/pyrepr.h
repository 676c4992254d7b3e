// Includes all of pyrepr, which prints torch and C++ values as Python does.
#pragma once

#include <torchbook/pyrepr/format.h>
#include <torchbook/pyrepr/options.h>
#include <torchbook/pyrepr/python.h>
#include <torchbook/pyrepr/size.h>
#include <torchbook/pyrepr/stream.h>
#include <torchbook/pyrepr/tensor.h>
