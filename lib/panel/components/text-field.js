import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Input } from 'react-aria-components/Input';
import { TextField as Base } from 'react-aria-components/TextField';
import { join } from './classes.ts';
import classes from './field.module.css';
import { FieldLabel, FieldNotes } from './field.tsx';
/** One line of text. Give it the `name` of the request's field, so that {@link Form} can show the service's problem with it. */
export function TextField({ label, help, isOptional, placeholder = '', isMono, ...rest }) {
    return (_jsxs(Base, { ...rest, className: classes['field'], children: [_jsx(FieldLabel, { label: label, isOptional: isOptional }), _jsx(Input, { className: join(classes['control'], isMono && classes['mono']), placeholder: placeholder }), _jsx(FieldNotes, { help: help })] }));
}
