import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { TextArea as Area } from 'react-aria-components/TextArea';
import { TextField as Base } from 'react-aria-components/TextField';
import { join } from './classes.ts';
import classes from './field.module.css';
import { FieldLabel, FieldNotes } from './field.tsx';
/** Several lines of text. It grows with what is in it, if the browser can. */
export function TextArea({ label, help, isOptional, placeholder = '', rows = 3, ...rest }) {
    return (_jsxs(Base, { ...rest, className: classes['field'], children: [_jsx(FieldLabel, { label: label, isOptional: isOptional }), _jsx(Area, { className: join(classes['control'], classes['area']), placeholder: placeholder, rows: rows }), _jsx(FieldNotes, { help: help })] }));
}
