// Nothing but a place for the precompiled torch/torch.h that the notebooks of a build share.
