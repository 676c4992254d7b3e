// An empty source, for which the build precompiles torch/torch.h. The notebooks of a build share
// the result.
