import { Link, useLocation, useRouter } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useId, useState, useSyncExternalStore } from 'react';
import { Button as BaseButton } from 'react-aria-components/Button';
import { session } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { Button } from '../components/button.tsx';
import { join } from '../components/classes.ts';
import { loadDialog } from '../components/dialog.tsx';
import { Icon, type IconName } from '../components/icon.tsx';
import { Clipped } from '../components/layout.tsx';
import { ButtonLink, ExternalLink } from '../components/link.tsx';
import { loadMenu } from '../components/menu.tsx';
import { Notice } from '../components/notice.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { keyCaps, typedAhead, useCommands } from '../shortcuts.ts';
import { setTheme, theme, themes } from '../theme.ts';
import { words } from '../words/words.ts';
import { useMe, useWorkspace } from '../workspace.tsx';
import classes from './frame.module.css';
import { firstTab, type PageLink, pages } from './pages.ts';
import { UserMenu, useSignOut } from './user-menu.tsx';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';

const CommandPalette = lazy(() => import('./command-palette.tsx'));
const KeyboardHelp = lazy(() => import('./keyboard-help.tsx'));

/** Loads what opens over the page, which must open without a connection too, such as the question to sign in again. */
const loadOverlays = () =>
  Promise.allSettled([
    loadMenu(),
    loadDialog(),
    import('./session-dialog.tsx'),
    import('./command-palette.tsx'),
  ]);

type Overlay = 'commands' | 'keyboard' | undefined;

/** The surroundings of every page: workspace, navigation, the person's menu. */
export function Frame({ children }: { children: ReactNode }) {
  const me = useMe();
  const [overlay, setOverlay] = useState<Overlay>();
  const close = () => setOverlay(undefined);
  const openCommands = () => {
    typedAhead.set('');
    setOverlay('commands');
  };
  useEffect(() => {
    const timer = setTimeout(() => void loadOverlays(), 1_500);
    return () => clearTimeout(timer);
  }, []);
  useShellCommands({
    openCommands,
    openKeyboard: () => setOverlay('keyboard'),
  });
  return (
    <div className={classes.frame}>
      <a className={classes.skip} href="#content">
        {words.shared.skipToContent}
      </a>
      <header className={classes.side}>
        <div className={classes.top}>
          <WorkspaceSwitcher />
          <BaseButton className={classes.commands} onPress={openCommands}>
            <Icon name="search" />
            <span className={classes.commandsWord}>{words.shared.commands.open}</span>
            <kbd className={classes.keys}>{keyCaps('mod+k').join(' ')}</kbd>
          </BaseButton>
          <div className={classes.newPost}>
            <ButtonLink to="/compose" variant="primary" icon="plus" isWide>
              {words.post.newPost}
            </ButtonLink>
          </div>
        </div>
        <Navigation />
        <div className={classes.foot}>
          <p className={classes.documentation}>
            <ExternalLink href="/docs">{words.shared.user.documentation}</ExternalLink>
          </p>
          <UserMenu me={me} onKeyboard={() => setOverlay('keyboard')} />
        </div>
      </header>
      <main className={classes.main} id="content" tabIndex={-1}>
        <Notices />
        {children}
      </main>
      <Suspense>
        {overlay === 'commands' && <CommandPalette onClose={close} />}
        {overlay === 'keyboard' && <KeyboardHelp onClose={close} />}
      </Suspense>
    </div>
  );
}

/** The same shape, until it is known who is signed in. */
export function FrameSkeleton() {
  return (
    <div className={classes.frame}>
      <div className={classes.side} />
      <main className={classes.main}>
        <Skeleton rows={5} />
      </main>
    </div>
  );
}

interface Overlays {
  readonly openCommands: () => void;
  readonly openKeyboard: () => void;
}

/** Offers what is possible on every page. */
function useShellCommands({ openCommands, openKeyboard }: Overlays): void {
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

/** The number of pages in the bar of small screens. The others are behind *More*. */
const inBar = 3;

/** Links to the panel's own pages: beside the page, or below it on small screens. */
function Navigation() {
  const { pathname } = useLocation();
  const [isOpen, setIsOpen] = useState(false);
  const othersId = useId();
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever goes to a page is done with the list
  useEffect(() => setIsOpen(false), [pathname]);
  return (
    <nav
      className={classes.navigation}
      aria-label={words.shared.navigation.label}
      onKeyDown={({ key }) => key === 'Escape' && setIsOpen(false)}
    >
      <ul className={classes.list}>
        {pages.slice(0, 2).map((page) => (
          <Item key={page.to} page={page} />
        ))}
        <li className={classes.onlySmall}>
          <Link to="/compose" className={classes.link} activeProps={{ 'aria-current': 'page' }}>
            <Content icon="plus">{words.post.newPost}</Content>
          </Link>
        </li>
        {pages.slice(2, inBar).map((page) => (
          <Item key={page.to} page={page} />
        ))}
        <li className={classes.onlySmall}>
          <BaseButton
            className={classes.link}
            aria-expanded={isOpen}
            aria-controls={othersId}
            onPress={() => setIsOpen(!isOpen)}
          >
            <Content icon="dots">{words.shared.navigation.more}</Content>
          </BaseButton>
        </li>
      </ul>
      <ul id={othersId} className={join(classes.list, classes.others, isOpen && classes.open)}>
        {pages.slice(inBar).map((page) => (
          <Item key={page.to} page={page} />
        ))}
      </ul>
    </nav>
  );
}

function Item({ page: { to, name, icon } }: { page: PageLink }) {
  return (
    <li>
      <Link
        to={to}
        params={firstTab}
        className={classes.link}
        activeOptions={{ exact: to === '/' }}
        activeProps={{ 'aria-current': 'page' }}
      >
        <Content icon={icon}>{name}</Content>
      </Link>
    </li>
  );
}

function Content({ icon, children }: { icon: IconName; children: string }) {
  return (
    <>
      <Icon name={icon} />
      <Clipped>{children}</Clipped>
    </>
  );
}

/** The notices that concern the whole panel, above the page. */
function Notices() {
  const isOnline = useSyncExternalStore(subscribeToConnection, () => navigator.onLine);
  const { isEnded, asks } = useStore(session.store);
  const { isSuspended } = useWorkspace();
  return (
    <div className={classes.notices} role="status">
      {!isOnline && <Notice tone="warn">{words.shared.offline}</Notice>}
      {isEnded && asks === undefined && (
        <Notice
          tone="warn"
          actions={
            <Button size="small" onPress={session.ask}>
              {words.shared.session.signIn}
            </Button>
          }
        >
          {words.shared.session.endedNotice}
        </Notice>
      )}
      {isSuspended && <Notice tone="bad">{words.shared.workspaces.suspendedNotice}</Notice>}
    </div>
  );
}

function subscribeToConnection(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}
