import { useQueryClient } from '@tanstack/react-query';
import { Button } from 'react-aria-components/Button';
import type { signOutOperation } from '../../people/operations.ts';
import { call } from '../api/client.ts';
import { type Me, rememberSignedOut, session } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { Icon } from '../components/icon.tsx';
import { Menu } from '../components/menu.tsx';
import { toast } from '../components/toast-list.ts';
import { VisuallyHidden } from '../components/visually-hidden.tsx';
import { setTheme, theme, themes } from '../theme.ts';
import { words } from '../words/words.ts';
import classes from './person.module.css';

const themeIcons = { system: 'system', light: 'sun', dark: 'moon' } as const;

interface UserMenuProps {
  me: Me;
  onKeyboard?: () => void;
}

/** The person who is signed in: theme, keyboard, documentation, sign out. */
export function UserMenu({ me, onKeyboard }: UserMenuProps) {
  const signOut = useSignOut();
  const shown = useStore(theme);
  const { name, email } = me.person;
  const trigger = (
    <Button className={classes.chip}>
      <VisuallyHidden>{words.shared.user.menu}: </VisuallyHidden>
      <span className={classes.face} aria-hidden="true">
        <Icon name="user" />
      </span>
      <span className={classes.names}>
        <span className={classes.name}>{name ?? email}</span>
        {name !== null && <span className={classes.minor}>{email}</span>}
      </span>
    </Button>
  );
  return (
    <Menu
      trigger={trigger}
      placement="top start"
      label={words.shared.user.menu}
      sections={[
        {
          title: words.shared.user.theme,
          chosen: shown,
          actions: themes.map((each) => ({
            id: each,
            name: words.shared.user.themes[each],
            icon: themeIcons[each],
            run: () => setTheme(each),
          })),
        },
        {
          title: email,
          actions: [
            ...(onKeyboard
              ? [
                  {
                    id: 'keyboard',
                    name: words.shared.user.keyboard,
                    icon: 'keyboard' as const,
                    run: onKeyboard,
                  },
                ]
              : []),
            {
              id: 'invitations',
              name: words.shared.workspaces.invitations,
              icon: 'accounts',
              href: '/invitations',
            },
            {
              id: 'documentation',
              name: words.shared.user.documentation,
              icon: 'book',
              href: '/docs',
              isInNewTab: true,
            },
            { id: 'sign-out', name: words.shared.user.signOut, icon: 'signOut', run: () => void signOut() },
          ],
        },
      ]}
    />
  );
}

/** Ends the session here and at the identity provider, and leaves nothing of the workspace on the page. */
export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    try {
      const { signOutUrl } = await call<typeof signOutOperation>('POST', '/panel/sign-out');
      const { me } = session.store.get();
      if (me !== undefined) rememberSignedOut(me.person.id);
      session.announce('signed-out');
      queries.clear();
      location.assign(signOutUrl ?? '/signed-out');
    } catch {
      toast({ text: words.shared.user.signOutFailed, tone: 'bad' });
    }
  };
}
