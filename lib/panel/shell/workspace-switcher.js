import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { useRouter } from '@tanstack/react-router';
import { Button } from 'react-aria-components/Button';
import { workspaceChoice } from '../api/workspace-choice.ts';
import { Icon } from '../components/icon.tsx';
import { Menu } from '../components/menu.tsx';
import { VisuallyHidden } from '../components/visually-hidden.tsx';
import { strings } from '../strings.ts';
import { useMe, useWorkspace } from '../workspace.tsx';
import classes from './person.module.css';
/** Which workspace the tab shows, and a menu if the person has several. */
export function WorkspaceSwitcher() {
    const { workspaces } = useMe();
    const workspace = useWorkspace();
    const choose = useChooseWorkspace();
    if (workspaces.length < 2)
        return (_jsx("p", { className: classes['chip'], children: _jsx(Names, { workspace: workspace }) }));
    const trigger = (_jsxs(Button, { className: classes['chip'], children: [_jsxs(VisuallyHidden, { children: [strings.workspaces.label, ": "] }), _jsx(Names, { workspace: workspace }), _jsx(Icon, { name: "chevronsUpDown" })] }));
    return (_jsx(Menu, { trigger: trigger, placement: "bottom start", label: strings.workspaces.switchTo, sections: [
            {
                title: strings.workspaces.switchTo,
                chosen: workspace.id,
                actions: workspaces.map(({ id, name, role, isSuspended }) => ({
                    id,
                    name,
                    note: isSuspended ? strings.workspaces.suspended : strings.workspaces.roles[role],
                    run: () => choose(id),
                })),
            },
        ] }));
}
function Names({ workspace: { name, role } }) {
    return (_jsxs(_Fragment, { children: [_jsx("span", { className: classes['letter'], "aria-hidden": "true", children: initial(name) }), _jsxs("span", { className: classes['names'], children: [_jsx("span", { className: classes['name'], children: name }), _jsx("span", { className: classes['minor'], children: strings.workspaces.roles[role] })] })] }));
}
const initial = (name) => [...name.trim()][0]?.toUpperCase() ?? '·';
/** Shows another workspace in this tab, on the same page. What the page showed of a single thing does not exist there. */
export function useChooseWorkspace() {
    const router = useRouter();
    return (id) => {
        const [, page = ''] = router.state.location.pathname.split('/');
        workspaceChoice.choose(id);
        void router.navigate({ href: `/${page}` });
    };
}
