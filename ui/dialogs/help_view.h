#pragma once

#include <QTextBrowser>

namespace fusescope {

// Shows Markdown of the program's own pages. Nothing is loaded: neither pictures nor other files;
// links to other pages are told and not followed.
class HelpView final : public QTextBrowser
{
    Q_OBJECT

public:
    explicit HelpView(QWidget* parent = nullptr);

    void showMarkdown(const QString& markdown);

Q_SIGNALS:
    void pageRequested(const QString& id);

protected:
    QVariant loadResource(int type, const QUrl& name) override;
};

} // namespace fusescope
