import { jsx as _jsx } from "react/jsx-runtime";
import classes from './visually-hidden.module.css';
/** Text for assistive technology only. */
export function VisuallyHidden({ children }) {
    return _jsx("span", { className: classes['hidden'], children: children });
}
