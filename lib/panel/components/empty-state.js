import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import classes from './empty-state.module.css';
import { Icon } from './icon.tsx';
/** Where a list has nothing yet: says what will be here, and offers the next step. */
export function EmptyState({ icon, title, children, action, level = 2 }) {
    const Title = `h${level}`;
    return (_jsxs("div", { className: classes['empty'], children: [_jsx("span", { className: classes['icon'], children: _jsx(Icon, { name: icon, size: 20 }) }), _jsx(Title, { className: classes['title'], children: title }), children && _jsx("div", { className: classes['text'], children: children }), action && _jsx("div", { className: classes['action'], children: action })] }));
}
