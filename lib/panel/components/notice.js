import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { join } from './classes.ts';
import { Icon } from './icon.tsx';
import classes from './notice.module.css';
const icons = { info: 'info', good: 'check', warn: 'alert', bad: 'alert' };
/** A message in the page, where it belongs. */
export function Notice({ tone, title, children, actions, isLive }) {
    return (_jsxs("div", { className: join(classes['notice'], classes[tone]), role: isLive ? 'alert' : undefined, children: [_jsx(Icon, { name: icons[tone] }), _jsxs("div", { className: classes['text'], children: [title && _jsx("p", { className: classes['title'], children: title }), children && _jsx("div", { children: children })] }), actions && _jsx("div", { className: classes['actions'], children: actions })] }));
}
