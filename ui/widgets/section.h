#pragma once

#include <QWidget>

#include "ui/theme/badges.h"

class QVBoxLayout;

namespace fusescope {

class SectionHeading;

// A part of the Inspector under a heading that folds it.
class Section final : public QWidget
{
    Q_OBJECT

public:
    explicit Section(const QString& title, QWidget* parent = nullptr);

    void setTitle(const QString& title, const QString& note = {});
    // At the right end of the heading; an empty text takes it away.
    void setPill(const Pill& pill);
    // Belongs to the section afterwards.
    void setContent(QWidget* content);
    QWidget* content() const { return m_content; }

    bool isOpen() const { return m_open; }
    void setOpen(bool open);

Q_SIGNALS:
    void toggled(bool open);

private:
    SectionHeading* m_heading;
    QVBoxLayout* m_layout;
    QWidget* m_content = nullptr;
    bool m_open = true;
};

} // namespace fusescope
