import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { join } from './classes.ts';
import { Icon } from './icon.tsx';
import classes from './status.module.css';
const icons = {
    good: 'check',
    warn: 'alert',
    bad: 'cross',
    info: 'clock',
    neutral: 'pause',
};
/** A state as picture and word: colour alone says nothing. */
export function Status({ tone, icon = icons[tone], children }) {
    return (_jsxs("span", { className: join(classes['status'], classes[tone]), children: [_jsx(Icon, { name: icon, size: 12 }), children] }));
}
/** A small label that is no state, such as a role or a permission. */
export function Badge({ children }) {
    return _jsx("span", { className: join(classes['status'], classes['neutral']), children: children });
}
