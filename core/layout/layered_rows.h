#pragma once

#include "layout/piece.h"

namespace fusescope::layout {

// One hop between neighbouring rows.
struct Link
{
    int upper = 0;
    int lower = 0;
    int weight = 1; // of the heaviest edge that it is part of
};

// A piece put into rows. Items are the nodes and, after them, the places that edges over several
// rows take in the rows between; all edges of one node share its places.
struct Rows
{
    int nodes = 0;
    std::vector<int> rank;              // of each item
    std::vector<double> width;          // of each item
    std::vector<std::vector<int>> rows; // items from left to right
    std::vector<int> index;             // of each item in its row
    std::vector<Link> links;
    std::vector<std::vector<int>> up;   // links of each item to the row above
    std::vector<std::vector<int>> down; // and below
    std::vector<int> firstPlace;        // of each node, -1 for none
    std::vector<int> aside;             // edges too long for places: drawn beside everything

    int items() const { return static_cast<int>(rank.size()); }
    bool isPlace(int item) const { return item >= nodes; }
    // The item that stands for the node in a row below it.
    int placeAt(int node, int row) const
    {
        return row == rank[node] ? node : firstPlace[node] + row - rank[node] - 1;
    }
    void renumber(int row);
};

Rows makeRows(const Piece& piece);

// Orders the rows so that few links cross; fixed rows of the piece keep their order.
void orderRows(const Piece& piece, Rows& rows, const Limits& limits);

// x of the centre of each item: in order, with gaps, as straight as the links allow.
std::vector<double> placeRows(const Rows& rows, const Gaps& gaps);

} // namespace fusescope::layout
