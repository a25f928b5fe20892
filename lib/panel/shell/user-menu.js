import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { useQueryClient } from '@tanstack/react-query';
import { Button } from 'react-aria-components/Button';
import { call } from '../api/client.ts';
import { session } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { Icon } from '../components/icon.tsx';
import { Menu } from '../components/menu.tsx';
import { toast } from '../components/toast-list.ts';
import { VisuallyHidden } from '../components/visually-hidden.tsx';
import { strings } from '../strings.ts';
import { setTheme, theme, themes } from '../theme.ts';
import classes from './person.module.css';
const themeIcons = { system: 'system', light: 'sun', dark: 'moon' };
/** The person who is signed in: theme, keyboard, documentation, sign out. */
export function UserMenu({ me, onKeyboard }) {
    const signOut = useSignOut();
    const shown = useStore(theme);
    const { name, email } = me.person;
    const trigger = (_jsxs(Button, { className: classes['chip'], children: [_jsxs(VisuallyHidden, { children: [strings.user.menu, ": "] }), _jsx("span", { className: classes['face'], "aria-hidden": "true", children: _jsx(Icon, { name: "user" }) }), _jsxs("span", { className: classes['names'], children: [_jsx("span", { className: classes['name'], children: name ?? email }), name !== null && _jsx("span", { className: classes['minor'], children: email })] })] }));
    return (_jsx(Menu, { trigger: trigger, placement: "top start", label: strings.user.menu, sections: [
            {
                title: strings.user.theme,
                chosen: shown,
                actions: themes.map((each) => ({
                    id: each,
                    name: strings.user.themes[each],
                    icon: themeIcons[each],
                    run: () => setTheme(each),
                })),
            },
            {
                title: email,
                actions: [
                    ...(onKeyboard
                        ? [{ id: 'keyboard', name: strings.user.keyboard, icon: 'keyboard', run: onKeyboard }]
                        : []),
                    {
                        id: 'documentation',
                        name: strings.user.documentation,
                        icon: 'book',
                        href: '/docs',
                        isInNewTab: true,
                    },
                    { id: 'sign-out', name: strings.user.signOut, icon: 'signOut', run: () => void signOut() },
                ],
            },
        ] }));
}
/** Ends the session here and at the identity provider, and leaves nothing of the workspace on the page. */
export function useSignOut() {
    const queries = useQueryClient();
    return async () => {
        try {
            const { signOutUrl } = await call('POST', '/panel/sign-out');
            session.announce('signed-out');
            queries.clear();
            location.assign(signOutUrl ?? '/signed-out');
        }
        catch {
            toast({ text: strings.user.signOutFailed, tone: 'bad' });
        }
    };
}
