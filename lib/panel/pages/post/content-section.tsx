import { useEffect, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { join } from '../../components/classes.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Link } from '../../components/link.tsx';
import { Section } from '../../components/section.tsx';
import { Time } from '../../components/time.tsx';
import type { Post } from '../../posts/post.ts';
import { words } from '../../words/words.ts';
import { Code, Facts } from '../accounts/facts.tsx';
import classes from './content-section.module.css';

const texts = words.postPage.content;

/** What the post says and shows. Nothing if the title of the page has all of it. */
export function ContentCard({ post, title }: { post: Post; title: string }) {
  const { content, mediaItems } = post;
  const hasWords = content.trim() !== '' && content.trim() !== title;
  if (!hasWords && mediaItems.length === 0) return null;
  return (
    <section aria-label={texts.title} className={classes['card']}>
      {hasWords && (
        <div className={classes['text']}>
          <Words content={content} />
        </div>
      )}
      <Media post={post} />
    </section>
  );
}

/** When the post was made, what it is called, and what it belongs to. */
export function Details({ post }: { post: Post }) {
  const { id, createdAt, updatedAt, externalId, parentPostId, onQuota, metadata } = post;
  return (
    <Section title={texts.facts} isCard>
      <Facts
        facts={[
          [texts.created, <Time key="created" at={createdAt} />],
          [texts.changed, updatedAt !== createdAt && <Time at={updatedAt} />],
          [texts.onQuota, onQuota === 'fail' && texts.onQuotaFail],
          [
            texts.parent,
            parentPostId !== null && (
              <Link to="/posts/$id" params={{ id: parentPostId }}>
                {texts.openParent}
              </Link>
            ),
          ],
          [
            texts.id,
            <Code key="id">
              <code>{id}</code>
              <CopyButton text={id} label={words.postPage.actions.copyId} />
            </Code>,
          ],
          [
            texts.externalId,
            externalId !== null && (
              <Code>
                <code dir="auto">{externalId}</code>
                <CopyButton text={externalId} label={texts.copyExternalId} />
              </Code>
            ),
          ],
          ...Object.entries(metadata).map(([name, value]) => [name, <bdi key={name}>{value}</bdi>] as const),
        ]}
      />
    </Section>
  );
}

/** Long texts are cut, and shown whole on request. */
function Words({ content }: { content: string }) {
  const [isAll, setAll] = useState(false);
  const [isCut, setCut] = useState(false);
  const text = useRef<HTMLParagraphElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text may be longer
  useEffect(() => {
    const { scrollHeight = 0, clientHeight = 0 } = text.current ?? {};
    setCut(scrollHeight > clientHeight + 1);
  }, [content]);
  return (
    <>
      <p ref={text} dir="auto" className={join(classes['words'], !isAll && classes['cut'])}>
        {content}
      </p>
      {(isCut || isAll) && (
        <div>
          <Button size="small" onPress={() => setAll(!isAll)}>
            {isAll ? texts.showLess : texts.showAll}
          </Button>
        </div>
      )}
    </>
  );
}

const shownFiles = 8;

function Media({ post: { mediaItems, coverUrl } }: { post: Post }) {
  if (mediaItems.length === 0) return null;
  return (
    <ul className={classes['media']} aria-label={texts.media}>
      {mediaItems.slice(0, shownFiles).map(({ type, url, altText, filename }, place) => {
        const isImage = type === 'image' || (type === 'video' && place === 0 && coverUrl !== null);
        const name = altText || filename || texts.kinds[type];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a post may have the same file twice
          <li key={place} className={classes['file']}>
            {isImage ? (
              <img src={type === 'image' ? url : (coverUrl ?? url)} alt={name} loading="lazy" />
            ) : (
              <span className={classes['noImage']}>
                <Icon name={type === 'video' ? 'play' : 'posts'} size={20} />
                <bdi className={classes['fileName']}>{filename ?? texts.kinds[type]}</bdi>
              </span>
            )}
          </li>
        );
      })}
      {mediaItems.length > shownFiles && (
        <li className={join(classes['file'], classes['noImage'])}>
          {texts.moreMedia(mediaItems.length - shownFiles)}
        </li>
      )}
    </ul>
  );
}
