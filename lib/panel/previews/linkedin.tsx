import { kindOf as accountKindOf } from '../accounts/account.ts';
import { nameOf as fileNameOf } from '../media/draft-media.ts';
import { words } from '../words/words.ts';
import { type Drawing, shownRatio, textOf } from './format.ts';
import classes from './linkedin.module.css';
import {
  Collage,
  FeedActs,
  FeedHead,
  FirstComment,
  LinkCard,
  Poll,
  pollOf,
  RichText,
  Shot,
  type SignName,
} from './parts.tsx';

import { hostOf } from './texts.ts';

const acts: readonly (readonly [SignName, string])[] = [
  ['thumb', words.previews.acts.like],
  ['bubble', words.previews.acts.comment],
  ['repeat', words.previews.acts.repost],
  ['plane', words.previews.acts.send],
];

/** A post of a member or an organization. */
export function LinkedinPost(drawing: Drawing) {
  const { account, content, options } = drawing;
  const isOrganization = accountKindOf(account) === 'organization';
  const comment = textOf(options, 'firstComment');
  return (
    <div>
      <FeedHead
        account={account}
        isSquare={isOrganization}
        when={words.previews.now}
        className={classes.head}
      />
      <RichText
        className={classes.text}
        text={content}
        platform="linkedin"
        rule={{ characters: 210, lines: 5 }}
      />
      <Attachment {...drawing} />
      <FeedActs acts={acts} className={classes.acts} />
      {comment && <FirstComment account={account} text={comment} platform="linkedin" />}
    </div>
  );
}

/** Stands for the picture of a page. The panel loads nothing from other servers, so only its host is shown. */
function LinkPicture({ url }: { url: string }) {
  return <div className={classes.foreignPicture}>{words.previews.foreignPicture(hostOf(url))}</div>;
}

function Attachment({ format, content, media, options, card }: Drawing) {
  const [first] = media;
  const title = textOf(options, 'documentTitle') ?? textOf(options, 'title');
  const poll = pollOf(options);
  if (format === 'poll' && poll !== undefined)
    return (
      <div className={classes.poll}>
        <Poll
          question={poll.question}
          choices={poll.choices}
          time={words.previews.pollDays[poll.duration ?? 'SEVEN_DAYS'] ?? ''}
        />
      </div>
    );
  if (format === 'reshare')
    return (
      <div className={classes.reshared}>
        <LinkCard host={textOf(options, 'reshare') ?? ''} title={words.previews.reshared} />
      </div>
    );
  if (format === 'link')
    return (
      <LinkCard
        host={hostOf(textOf(options, 'link') ?? '')}
        title={title}
        description={textOf(options, 'description')}
      >
        {first && (
          <div className={classes.linkPicture}>
            <Shot media={first} place={0} options={options} />
          </div>
        )}
      </LinkCard>
    );
  if (first === undefined)
    return card ? (
      <LinkCard host={hostOf(card.url)} title={card.title} description={card.description ?? undefined}>
        {card.imageUrl !== null && <LinkPicture url={card.imageUrl} />}
      </LinkCard>
    ) : null;
  if (format === 'document')
    return (
      <div className={classes.document}>
        <p className={classes.documentTitle} dir="auto">
          {title ?? (fileNameOf(first) || content.split('\n')[0])}
        </p>
        <div className={classes.documentPage}>
          <Shot media={first} place={0} options={options} />
        </div>
      </div>
    );
  if (format === 'video')
    return (
      <div style={{ aspectRatio: shownRatio(first, { min: 0.8, max: 1.91, fallback: 16 / 9 }) }}>
        <Shot media={first} place={0} options={options} />
      </div>
    );
  return <Collage media={media} options={options} most={4} look="linkedin" />;
}
