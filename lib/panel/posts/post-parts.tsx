import { lazy, type Ref, Suspense, useState } from 'react';
import type { Account } from '../accounts/account.ts';
import { Button } from '../components/button.tsx';
import type { IconName } from '../components/icon.tsx';
import { Link } from '../components/link.tsx';
import { Status, type Tone } from '../components/status.tsx';
import { words } from '../words/words.ts';
import { type Condition, excerptOf, type ListedPost } from './post.ts';

const looks: Readonly<Record<Condition, { tone: Tone; icon?: IconName }>> = {
  draft: { tone: 'neutral', icon: 'pencil' },
  scheduled: { tone: 'info' },
  waiting: { tone: 'warn', icon: 'clock' },
  atRisk: { tone: 'warn', icon: 'alert' },
  publishing: { tone: 'info', icon: 'refresh' },
  published: { tone: 'good' },
  removed: { tone: 'neutral', icon: 'trash' },
  partial: { tone: 'warn' },
  failed: { tone: 'bad' },
  unknown: { tone: 'bad', icon: 'alert' },
};

interface PostStateProps {
  condition: Condition;
  isPlain?: boolean | undefined;
  isShort?: boolean | undefined;
}

/** The state of a post or a destination, as picture and word. */
export function PostState({ condition, isPlain, isShort }: PostStateProps) {
  const word = words.post.conditions[condition];
  return (
    <Status {...looks[condition]} isPlain={isPlain}>
      {isShort ? (words.post.shortConditions[condition] ?? word) : word}
    </Status>
  );
}

interface PostLinkProps {
  post: Pick<ListedPost, 'id' | 'content'>;
  characters?: number;
  ref?: Ref<HTMLAnchorElement>;
}

/** A link to the page of a post: its first words. */
export function PostLink({ post, characters, ref }: PostLinkProps) {
  return (
    <Link ref={ref} to="/posts/$id" params={{ id: post.id }}>
      <bdi>{excerptOf(post, characters) ?? words.post.noText}</bdi>
    </Link>
  );
}

/** Its code is of another page, and needed once somebody reconnects. */
export const ConnectDialog = lazy(async () => ({
  default: (await import('../accounts/connect-dialog.tsx')).ConnectDialog,
}));

interface ReconnectProps {
  account: Account | undefined;
  platform: Account['platform'];
}

/** A button that connects an account again, or another one in its place if it is gone. */
export function Reconnect({ account, platform }: ReconnectProps) {
  const [isConnecting, setConnecting] = useState(false);
  return (
    <>
      <Button size="small" icon="refresh" onPress={() => setConnecting(true)}>
        {account ? words.post.reconnect : words.post.connect}
      </Button>
      {isConnecting && (
        <Suspense>
          <ConnectDialog isOpen account={account} platform={platform} onClose={() => setConnecting(false)} />
        </Suspense>
      )}
    </>
  );
}
