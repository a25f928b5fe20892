import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { createLink } from '@tanstack/react-router';
import { buttonClasses } from './button.tsx';
import { Icon } from './icon.tsx';
import classes from './link.module.css';
/** A link to a page of the panel: `<Link to="/accounts">`. It loads the page's code when the pointer comes near. */
export const Link = createLink((props) => _jsx("a", { ...props, className: classes['link'] }));
/** The same, with the look of a button, for the step that a page offers. */
export const ButtonLink = createLink(({ variant, size, isWide, icon, children, ...rest }) => (_jsx("a", { ...rest, className: buttonClasses({ variant, size, isWide }), children: _jsxs("span", { className: classes['content'], children: [icon && _jsx(Icon, { name: icon }), _jsx("span", { children: children })] }) })));
/** A link that leaves the panel, in a new tab: to the documents of the API, or to a post at its platform. */
export function ExternalLink({ href, children }) {
    return (_jsxs("a", { className: classes['external'], href: href, target: "_blank", rel: "noreferrer", children: [children, _jsx(Icon, { name: "external", size: 12 })] }));
}
