import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { FieldError } from 'react-aria-components/FieldError';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { strings } from '../strings.ts';
import classes from './field.module.css';
import { Icon } from './icon.tsx';
/** The label above a control. */
export function FieldLabel({ label, isOptional }) {
    return (_jsxs(Label, { className: classes['label'], children: [label, isOptional && _jsxs("span", { className: classes['optional'], children: [" (", strings.fields.optional, ")"] })] }));
}
/** The help and the error below a control. */
export function FieldNotes({ help }) {
    return (_jsxs(_Fragment, { children: [help && (_jsx(Text, { slot: "description", className: classes['help'], children: help })), _jsx(FieldError, { className: classes['error'], children: ({ validationErrors }) => (_jsxs(_Fragment, { children: [_jsx(Icon, { name: "alert", size: 14 }), _jsx("span", { children: validationErrors.join(' ') })] })) })] }));
}
