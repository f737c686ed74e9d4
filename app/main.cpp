#include "ui/raw_text.h"
#include "app/start.h"

using namespace fusescope;

int main(int argc, char** argv)
{
    return isBatch(argumentsOf(argc, argv)) ? runBatch(argc, argv) : runWindow(argc, argv);
}
