#pragma once

#include <QWidget>

class QGridLayout;
class QLabel;
class QVBoxLayout;

namespace fusescope {

class Actions;
class ExampleCard;
class LinkLabel;
class RecentFiles;
class RecentRow;

// What stands in the centre while no model is open: where to drop one, the files opened last, the
// examples and the tour.
class StartPage final : public QWidget
{
    Q_OBJECT

public:
    StartPage(Actions& actions, RecentFiles& recent, QWidget* parent = nullptr);

    QList<RecentRow*> recentRows() const { return m_rows; }
    QList<ExampleCard*> exampleCards() const { return m_cards; }

Q_SIGNALS:
    void fileChosen(const QString& path);
    void exampleChosen(const QString& resource);
    void commandLineHelpRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fillRecent();
    void fillExamples();
    void arrangeExamples();

    Actions& m_actions;
    RecentFiles& m_recent;
    QWidget* m_content;
    QLabel* m_recentTitle;
    QVBoxLayout* m_recentLayout;
    QWidget* m_gallery;
    QGridLayout* m_grid;
    LinkLabel* m_all;
    QList<RecentRow*> m_rows;
    QList<ExampleCard*> m_cards;
    bool m_showAll = false;
    int m_columns = 0;
};

} // namespace fusescope
