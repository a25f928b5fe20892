import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { Button as BaseButton } from 'react-aria-components/Button';
import { loadDialog } from '../components/dialog.tsx';
import { Icon } from '../components/icon.tsx';
import { ButtonLink, ExternalLink } from '../components/link.tsx';
import { loadMenu } from '../components/menu.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { keyCaps } from '../shortcuts.ts';
import { words } from '../words/words.ts';
import { useMe } from '../workspace.tsx';
import classes from './frame.module.css';
import { Navigation } from './navigation.tsx';
import { Notices } from './notices.tsx';
import { useShellCommands } from './use-shell-commands.ts';
import { UserMenu } from './user-menu.tsx';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';

const CommandPalette = lazy(() => import('./command-palette.tsx'));
const KeyboardHelp = lazy(() => import('./keyboard-help.tsx'));

/** What opens over the page must open without a connection too, such as the question to sign in again. */
const loadOverlays = () => Promise.allSettled([loadMenu(), loadDialog()]);

type Overlay = 'commands' | 'keyboard' | undefined;

/** What surrounds every page: workspace, navigation, the person's menu. */
export function Frame({ children }: { children: ReactNode }) {
  const me = useMe();
  const [overlay, setOverlay] = useState<Overlay>();
  const close = () => setOverlay(undefined);
  useEffect(() => {
    const timer = setTimeout(() => void loadOverlays(), 1_500);
    return () => clearTimeout(timer);
  }, []);
  useShellCommands({
    openCommands: () => setOverlay('commands'),
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
          <BaseButton className={classes.commands} onPress={() => setOverlay('commands')}>
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
