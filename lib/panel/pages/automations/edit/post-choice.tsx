import { useEffect, useRef, useState } from 'react';
import { automationLimits } from '../../../../automations/limits.ts';
import type { listPostsOperation } from '../../../../posts/operations.ts';
import { useGet, usePages } from '../../../api/hooks.ts';
import { useReadOn } from '../../../api/use-read-on.ts';
import { Button } from '../../../components/button.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Icon } from '../../../components/icon.tsx';
import { Muted, Row, Stack } from '../../../components/layout.tsx';
import { Radio, RadioGroup } from '../../../components/radio-group.tsx';
import { SearchField } from '../../../components/search-field.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { Badge } from '../../../components/status.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { Time } from '../../../components/time.tsx';
import { excerptOf } from '../../../posts/post.ts';
import { words } from '../../../words/words.ts';
import { useAutomations } from '../use-automations.ts';
import { scheduledName } from './draft.ts';
import classes from './form.module.css';
import { HasAutomation } from './has-automation.tsx';
import {
  comingPostsOf,
  type LiveHere,
  livePostsOf,
  postIdIn,
  postsElsewhereOf,
  searchPosts,
} from './live-posts.ts';
import { PlatformPicture } from './platform-picture.tsx';
import { usePostsElsewhere } from './use-posts-elsewhere.ts';

const texts = words.automationsPage.form.choosePost;
const other = 'other';
const perPage = '20';
const mostPagesSearched = 10;
/** So many are seen at a glance. */
const fewPosts = 6;

interface PostChoiceProps {
  accountId: string;
  value: string;
  onChange: (platformPostId: string) => void;
}

/** A post of the account: one that Herald publishes or has published, or any other by its id. */
export function PostChoice({ accountId, value, onChange }: PostChoiceProps) {
  const pages = usePages<typeof listPostsOperation>('/v1/posts', {
    query: { accountId, status: 'published,partial', limit: perPage },
  });
  const { automations = [] } = useAutomations({ accountId });
  const [isOther, setOther] = useState(false);
  const [searched, setSearched] = useState('');
  const isSearching = searched.trim() !== '';
  // The service does not search: what is searched for is read on.
  const isReading = useReadOn(pages, isSearching ? mostPagesSearched : 1);
  const coming = useGet<typeof listPostsOperation>('/v1/posts', {
    query: { accountId, status: 'scheduled,draft,publishing', limit: perPage },
  });
  const own = [
    ...comingPostsOf(coming.data?.posts ?? [], accountId),
    ...livePostsOf(pages.data?.pages.flatMap((page) => page.posts) ?? [], accountId),
  ];
  const isAddress = /^https?:/.test(value.trim());
  const elsewhere = usePostsElsewhere(accountId, {
    isWanted: isOther,
    address: isAddress ? value.trim() : '',
  });
  const posts = [...own, ...postsElsewhereOf(elsewhere.posts, own)];
  const found = searchPosts(posts, searched);
  const isListed = posts.some(({ platformPostId }) => platformPostId === value);
  const automationOf = new Map(
    automations.map(({ id, appliesTo, platformPostId, postId }) => [
      appliesTo === 'post' ? (platformPostId ?? scheduledName(postId ?? '')) : undefined,
      id,
    ]),
  );
  const existing = automationOf.get(value);
  const place = useRef<HTMLDivElement>(null);
  const isRead = pages.data !== undefined;
  useEffect(() => {
    // The chosen one may be far down in a list that scrolls.
    const chosen = isRead
      ? place.current?.querySelector<HTMLElement>('label[data-selected]:not(:last-child)')
      : undefined;
    if (chosen?.parentElement) chosen.parentElement.scrollTop = chosen.offsetTop - chosen.offsetHeight;
  }, [isRead]);
  if (pages.isPending || coming.isPending)
    return (
      <div role="status" aria-label={texts.loading} className={classes.loadingPosts}>
        <Skeleton rows={6} />
      </div>
    );
  const chosen = isListed ? value : isOther || value !== '' || posts.length === 0 ? other : value;
  return (
    <div className={classes.posts} ref={place}>
      {pages.isError && !pages.data && <ErrorNotice error={pages.error} title={texts.failed} />}
      {pages.data && posts.length === 0 && <Muted>{texts.none}</Muted>}
      {(posts.length > fewPosts || pages.hasNextPage) && (
        <>
          <SearchField
            label={texts.search}
            value={searched}
            onChange={setSearched}
            // Enter sends no form.
            onSubmit={() => undefined}
          />
          <Muted role="status">{isSearching && texts.found(found.length, posts.length, isReading)}</Muted>
        </>
      )}
      {posts.length > 0 && (
        <RadioGroup
          label={words.automationsPage.form.post.post}
          value={chosen}
          onChange={(key) => {
            // Posts from elsewhere stay in sight.
            setOther((is) => is || key === other);
            onChange(key === other ? '' : key);
          }}
          isRequired
        >
          {found.map((post) => (
            <Radio key={post.platformPostId} value={post.platformPostId}>
              <PostOption
                accountId={accountId}
                post={post}
                hasAutomation={automationOf.has(post.platformPostId)}
              />
            </Radio>
          ))}
          <Radio value={other} note={texts.otherNote}>
            {texts.other}
          </Radio>
        </RadioGroup>
      )}
      {pages.hasNextPage && !isReading && (
        <div>
          <Button
            size="small"
            onPress={() => void pages.fetchNextPage()}
            isPending={pages.isFetchingNextPage}
          >
            {texts.older}
          </Button>
        </div>
      )}
      {isOther && elsewhere.isReading && <Muted role="status">{texts.readingElsewhere}</Muted>}
      {isOther && elsewhere.error && <ErrorNotice error={elsewhere.error} title={texts.elsewhereFailed} />}
      {isOther && elsewhere.hasMore && (
        <div>
          <Button size="small" onPress={elsewhere.readMore} isPending={elsewhere.isReading}>
            {texts.olderElsewhere}
          </Button>
        </div>
      )}
      {chosen === other && (
        <TextField
          name="platformPostId"
          label={texts.id}
          help={texts.idHelp}
          value={value}
          onChange={(text) => {
            setOther(true);
            onChange(postIdIn(text, posts));
          }}
          validate={(text) => (/^https?:/.test(text.trim()) ? texts.isAddress : null)}
          maxLength={automationLimits.platformPostIdCharacters}
          isRequired
          isMono
          autoComplete="off"
        />
      )}
      {existing !== undefined && <HasAutomation id={existing} />}
    </div>
  );
}

interface PostOptionProps {
  accountId: string;
  post: LiveHere;
  hasAutomation: boolean;
}

function PostOption({ accountId, post, hasAutomation }: PostOptionProps) {
  const { platformPostId, picture, hasPlatformPicture, publishedAt, scheduledFor, kind } = post;
  const icon = kind === 'video' ? 'play' : 'image';
  return (
    <Row as="span" gap={3} isOneLine>
      {hasPlatformPicture === undefined ? (
        <span className={classes.picture}>
          {picture === undefined ? <Icon name={icon} /> : <img src={picture} alt="" loading="lazy" />}
        </span>
      ) : (
        <PlatformPicture
          accountId={accountId}
          platformPostId={platformPostId}
          hasPicture={hasPlatformPicture}
          icon={icon}
        />
      )}
      <Stack as="span" gap={0}>
        <bdi className={classes.excerpt}>{excerptOf(post, 120) ?? words.post.noText}</bdi>
        <Row as="span">
          {kind !== undefined && kind !== 'other' && <Muted as="span">{texts.kinds[kind]}</Muted>}
          {publishedAt !== null && (
            <Muted as="span">
              {texts.published} <Time at={publishedAt} format="date" />
            </Muted>
          )}
          {scheduledFor !== undefined && (
            <Muted as="span">
              {scheduledFor === null ? (
                texts.draft
              ) : (
                <>
                  {texts.scheduled} <Time at={scheduledFor} format="date" />
                </>
              )}
            </Muted>
          )}
          {hasAutomation && <Badge>{texts.has}</Badge>}
        </Row>
      </Stack>
    </Row>
  );
}
