import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button } from 'react-aria-components/Button';
import { ListBox } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Select as Base, SelectValue } from 'react-aria-components/Select';
import { strings } from '../strings.ts';
import { join } from './classes.ts';
import field from './field.module.css';
import { FieldLabel, FieldNotes } from './field.tsx';
import { Icon } from './icon.tsx';
import { Option } from './option.tsx';
import popover from './popover.module.css';
import classes from './select.module.css';
/** One of a few choices. With more than about 15, use {@link ComboBox}. */
export function Select({ label, help, isOptional, choices, isLabelHidden, ...rest }) {
    return (_jsxs(Base, { placeholder: strings.fields.choose, ...rest, ...(isLabelHidden && { 'aria-label': label }), className: field['field'], children: [!isLabelHidden && _jsx(FieldLabel, { label: label, isOptional: isOptional }), _jsxs(Button, { className: join(field['control'], classes['button']), children: [_jsx(SelectValue, { className: classes['value'], children: ({ selectedText, defaultChildren, isPlaceholder }) => isPlaceholder ? defaultChildren : selectedText }), _jsx(Icon, { name: "chevronDown" })] }), _jsx(FieldNotes, { help: help }), _jsx(Popover, { className: popover['popover'], offset: 4, children: _jsx(ListBox, { className: popover['list'], items: choices, children: (choice) => _jsx(Option, { ...choice }) }) })] }));
}
