import { useRouter } from '@tanstack/react-router';
import { useStore } from '../api/store.ts';
import { useCommands } from '../shortcuts.ts';
import { setTheme, theme, themes } from '../theme.ts';
import { words } from '../words/words.ts';
import { firstTab, pages } from './pages.ts';
import { useSignOut } from './user-menu.tsx';

interface Overlays {
  readonly openCommands: () => void;
  readonly openKeyboard: () => void;
}

/** Offers what is possible on every page. */
export function useShellCommands({ openCommands, openKeyboard }: Overlays): void {
  const router = useRouter();
  const signOut = useSignOut();
  const shown = useStore(theme);
  useCommands([
    ...pages.map(({ to, name, icon, keys }) => ({
      name,
      icon,
      group: 'goTo' as const,
      keys,
      run: () => void router.navigate({ to, params: firstTab }),
    })),
    {
      name: words.post.newPost,
      icon: 'plus',
      group: 'goTo',
      keys: 'n',
      run: () => void router.navigate({ to: '/compose' }),
    },
    ...themes
      .filter((each) => each !== shown)
      .map((each) => ({
        name: words.shared.commands.theme(words.shared.user.themes[each]),
        icon: 'sun' as const,
        group: 'preferences' as const,
        run: () => setTheme(each),
      })),
    { name: words.shared.user.signOut, icon: 'signOut', group: 'preferences', run: () => void signOut() },
    { name: words.shared.commands.open, icon: 'search', group: 'help', keys: 'mod+k', run: openCommands },
    { name: words.shared.keyboard.title, icon: 'keyboard', group: 'help', keys: '?', run: openKeyboard },
    {
      name: words.shared.user.documentation,
      icon: 'book',
      group: 'help',
      run: () => void window.open('/docs', '_blank', 'noreferrer'),
    },
  ]);
}
