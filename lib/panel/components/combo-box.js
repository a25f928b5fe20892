import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button } from 'react-aria-components/Button';
import { ComboBox as Base } from 'react-aria-components/ComboBox';
import { Group } from 'react-aria-components/Group';
import { Input } from 'react-aria-components/Input';
import { ListBox } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { strings } from '../strings.ts';
import { join } from './classes.ts';
import field from './field.module.css';
import { FieldLabel, FieldNotes } from './field.tsx';
import { Icon } from './icon.tsx';
import { Option } from './option.tsx';
import popover from './popover.module.css';
import classes from './select.module.css';
/** One of many choices, found by typing a part of its name. */
export function ComboBox({ label, help, isOptional, choices, placeholder = '', ...rest }) {
    return (_jsxs(Base, { menuTrigger: "focus", allowsEmptyCollection: true, ...rest, defaultItems: choices, className: field['field'], children: [_jsx(FieldLabel, { label: label, isOptional: isOptional }), _jsxs(Group, { className: classes['combo'], children: [_jsx(Input, { className: join(field['control'], classes['input']), placeholder: placeholder }), _jsx(Button, { className: classes['open'], "aria-label": strings.fields.show, children: _jsx(Icon, { name: "chevronDown" }) })] }), _jsx(FieldNotes, { help: help }), _jsx(Popover, { className: popover['popover'], offset: 4, children: _jsx(ListBox, { className: popover['list'], renderEmptyState: () => _jsx("p", { className: popover['empty'], children: strings.fields.none }), children: (choice) => _jsx(Option, { ...choice }) }) })] }));
}
