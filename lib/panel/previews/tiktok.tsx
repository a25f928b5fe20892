import { nameOf } from '../accounts/account.ts';
import { words } from '../words/words.ts';
import { type Drawing, textOf } from './format.ts';

import { Avatar, handleOf, Pages, RichText, Shot, Sign, Vertical } from './parts.tsx';

import classes from './tiktok.module.css';

/** A video or photos, as they play. A draft goes out without its text. */
export function TiktokPost({ account, content, media, options, frameMs, format }: Drawing) {
  const isDraft = options['draft'] === true;
  const title = format === 'photos' ? textOf(options, 'title') : undefined;
  const [video] = media;
  return (
    <Vertical
      signs={['heart', 'bubble', 'mark', 'share']}
      foot={
        <>
          <span className={classes.author}>
            <Avatar account={account} />
            <bdi className={classes.name}>
              {account.username === null ? nameOf(account) : handleOf(account)}
            </bdi>
          </span>
          {title && (
            <b className={classes.title} dir="auto">
              {title}
            </b>
          )}
          {!(isDraft && format === 'video') && (
            <RichText text={content} platform="tiktok" rule={{ characters: 80, lines: 2 }} />
          )}
          <span className={classes.sound}>
            <Sign name="note" size={14} /> {words.previews.sound}
          </span>
        </>
      }
    >
      {format === 'photos' ? (
        <Pages count={media.length} ratio={9 / 16} hasCounter hasDots={false}>
          {(place) => {
            const file = media[place];
            return file && <Shot key={file.url} media={file} place={place} options={options} isWhole />;
          }}
        </Pages>
      ) : (
        video && <Shot media={video} place={0} options={options} frameMs={frameMs} hasLength={false} />
      )}
    </Vertical>
  );
}
