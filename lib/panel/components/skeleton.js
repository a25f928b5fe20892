import { jsx as _jsx } from "react/jsx-runtime";
import { strings } from '../strings.ts';
import classes from './skeleton.module.css';
/** Takes the place of what is loading. It appears only if that takes a moment. */
export function Skeleton({ rows = 3, kind = 'rows' }) {
    return (_jsx("div", { className: classes[kind], role: "status", "aria-label": strings.loading, children: Array.from({ length: rows }, (_, row) => (_jsx("span", { className: classes['bar'], "aria-hidden": "true" }, row))) }));
}
