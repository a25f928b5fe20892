import { useRouter } from '@tanstack/react-router';
import { useStore } from '../api/store.ts';
import { useCommand } from '../shortcuts.ts';
import { strings } from '../strings.ts';
import { setTheme, theme, themes } from '../theme.ts';
import { firstTab, pages } from './pages.ts';
import { useSignOut } from './user-menu.tsx';

/** Offers what is possible on every page. The lists never change, so the hooks always run in the same order. */
export function useCommands(): void {
  const router = useRouter();
  const signOut = useSignOut();
  const shown = useStore(theme);
  for (const { to, name, icon, keys } of pages)
    // biome-ignore lint/correctness/useHookAtTopLevel: see above
    useCommand({ name, icon, group: 'goTo', keys, run: () => void router.navigate({ to, params: firstTab }) });
  for (const each of themes)
    // biome-ignore lint/correctness/useHookAtTopLevel: see above
    useCommand(
      { name: strings.commands.theme(strings.user.themes[each]), icon: 'sun', group: 'preferences', run: () => setTheme(each) },
      each !== shown,
    );
  useCommand({
    name: strings.user.documentation,
    icon: 'book',
    group: 'help',
    run: () => void window.open('/docs', '_blank', 'noreferrer'),
  });
  useCommand({ name: strings.user.signOut, icon: 'signOut', group: 'preferences', run: () => void signOut() });
}
