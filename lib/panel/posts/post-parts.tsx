import { lazy, type Ref, Suspense, useState } from 'react';
import type { Account } from '../accounts/account.ts';
import { Button } from '../components/button.tsx';
import { Link } from '../components/link.tsx';
import { Status } from '../components/status.tsx';
import { words } from '../words/words.ts';
import { excerptOf, type ListedPost } from './post.ts';
import { type Condition, lookOf } from './state.ts';

interface PostStateProps {
  condition: Condition;
  isPlain?: boolean | undefined;
}

/** The state of a post or a destination, as picture and word. */
export function PostState({ condition, isPlain }: PostStateProps) {
  const { word, ...look } = lookOf(condition);
  return (
    <Status {...look} isPlain={isPlain}>
      {word}
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
