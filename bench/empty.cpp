// The empty LibTorch program: what a process costs that loads and unloads LibTorch and does nothing with it.
// bench/cost.py divides by it.
int main() { return 0; }
