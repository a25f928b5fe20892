import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete';
import { Dialog } from 'react-aria-components/Dialog';
import { Header } from 'react-aria-components/Header';
import { Input } from 'react-aria-components/Input';
import { Menu, MenuItem, MenuSection, Text } from 'react-aria-components/Menu';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { SearchField } from 'react-aria-components/SearchField';
import { useStore } from '../api/store.ts';
import { join } from '../components/classes.ts';
import { Icon } from '../components/icon.tsx';
import popover from '../components/popover.module.css';
import { commands, keyCaps } from '../shortcuts.ts';
import { strings } from '../strings.ts';
import { useMe, useWorkspace } from '../workspace.tsx';
import classes from './command-palette.module.css';
import { useChooseWorkspace } from './workspace-switcher.tsx';
const groups = [
    ['page', strings.commands.onThisPage],
    ['goTo', strings.commands.goTo],
    ['workspace', strings.commands.workspace],
    ['preferences', strings.commands.preferences],
    ['help', strings.commands.help],
];
/** Finds a command by the words in its name, and runs it. */
export default function CommandPalette({ onClose }) {
    const { contains } = useFilter({ sensitivity: 'base' });
    const all = [...useStore(commands), ...useWorkspaceCommands()];
    const run = (id) => {
        onClose();
        all.find((each) => each.id === id)?.run();
    };
    return (_jsx(ModalOverlay, { className: classes['backdrop'], isOpen: true, isDismissable: true, onOpenChange: onClose, children: _jsx(Modal, { className: classes['modal'], children: _jsx(Dialog, { className: classes['dialog'], "aria-label": strings.commands.open, children: _jsxs(Autocomplete, { filter: (text, words) => words.split(/\s+/).every((word) => contains(text, word)), children: [_jsxs(SearchField, { className: classes['search'], "aria-label": strings.commands.search, autoFocus: true, children: [_jsx(Icon, { name: "search" }), _jsx(Input, { className: classes['input'], placeholder: strings.commands.placeholder })] }), _jsx(Menu, { className: classes['list'], "aria-label": strings.commands.open, onAction: (key) => run(String(key)), renderEmptyState: () => _jsx("p", { className: popover['empty'], children: strings.commands.none }), children: groups.map(([group, title]) => (_jsx(Group, { title: title, of: all.filter((each) => each.group === group && each.keys !== 'mod+k') }, group))) })] }) }) }) }));
}
function Group({ title, of }) {
    if (of.length === 0)
        return null;
    return (_jsxs(MenuSection, { className: popover['section'], children: [_jsx(Header, { className: popover['heading'], children: title }), of.map(({ id, name, icon = 'arrow', keys }) => (_jsxs(MenuItem, { id: id, textValue: name, className: popover['item'], children: [_jsx(Icon, { name: icon }), _jsxs(Text, { slot: "label", className: join(popover['text'], classes['label']), children: [name, keys && (_jsx("span", { className: classes['keys'], children: keyCaps(keys).map((cap) => (_jsx("kbd", { className: classes['cap'], children: cap }, cap))) }))] })] }, id)))] }));
}
function useWorkspaceCommands() {
    const { workspaces } = useMe();
    const { id: shown } = useWorkspace();
    const choose = useChooseWorkspace();
    return workspaces
        .filter(({ id }) => id !== shown)
        .map(({ id, name }) => ({ id, name, group: 'workspace', icon: 'accounts', run: () => choose(id) }));
}
