import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { ListBoxItem } from 'react-aria-components/ListBox';
import { Text } from 'react-aria-components/Text';
import { Icon } from './icon.tsx';
import classes from './popover.module.css';
export function Option({ id, name, note, icon }) {
    return (_jsx(ListBoxItem, { id: id, textValue: name, className: classes['item'], children: ({ isSelected }) => (_jsxs(_Fragment, { children: [icon && _jsx(Icon, { name: icon }), _jsx(Text, { slot: "label", className: classes['text'], children: name }), note && (_jsx(Text, { slot: "description", className: classes['note'], children: note })), isSelected && (_jsx("span", { className: classes['check'], children: _jsx(Icon, { name: "check" }) }))] })) }));
}
