import { jsx as _jsx } from "react/jsx-runtime";
import classes from './spinner.module.css';
/** Says by itself nothing to assistive technology: what it belongs to does. */
export function Spinner() {
    return _jsx("span", { className: classes['spinner'], "aria-hidden": "true" });
}
