import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Header } from 'react-aria-components/Header';
import { Menu, MenuItem, MenuSection, Text } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { join } from './classes.ts';
import { Icon } from './icon.tsx';
import classes from './popover.module.css';
/** What a {@link Menu} shows while it is open. */
export default function MenuPopover(props) {
    const { label, triggerRef, placement, actions, sections, isFirstFocused, onClose } = props;
    return (_jsx(Popover, { className: classes['popover'], "aria-label": label, triggerRef: triggerRef, placement: placement, offset: 4, isOpen: true, onOpenChange: onClose, children: _jsxs(Menu, { className: classes['list'], "aria-label": label, autoFocus: isFirstFocused ? 'first' : true, onClose: onClose, children: [actions.map((action) => (_jsx(Item, { ...action }, action.id))), sections.map(({ title, actions, chosen }) => (_jsxs(MenuSection, { className: classes['section'], ...(chosen !== undefined && { selectionMode: 'single', selectedKeys: [chosen] }), children: [_jsx(Header, { className: classes['heading'], children: title }), actions.map((action) => (_jsx(Item, { ...action }, action.id)))] }, title)))] }) }));
}
function Item({ id, name, note, icon, isDangerous, isDisabled = false, run, href, isInNewTab }) {
    return (_jsx(MenuItem, { id: id, textValue: name, isDisabled: isDisabled, className: join(classes['item'], isDangerous && classes['danger']), ...(run && { onAction: run }), ...(href !== undefined && { href, ...(isInNewTab && { target: '_blank' }) }), children: ({ isSelected }) => (_jsxs(_Fragment, { children: [icon && _jsx(Icon, { name: icon }), _jsx(Text, { slot: "label", className: classes['text'], children: name }), note && (_jsx(Text, { slot: "description", className: classes['note'], children: note })), isSelected && (_jsx("span", { className: classes['check'], children: _jsx(Icon, { name: "check" }) }))] })) }));
}
