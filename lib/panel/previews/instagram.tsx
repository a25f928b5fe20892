import { words } from '../words/words.ts';
import { type Drawing, shownRatio, textOf } from './format.ts';

import classes from './instagram.module.css';
import {
  Author,
  Avatar,
  FirstComment,
  handleOf,
  Pages,
  RichText,
  Shot,
  Sign,
  Sound,
  Vertical,
} from './parts.tsx';

/** Also those that are invited to be authors. */
function namesOf({ account, options }: Drawing): string {
  const others = options['collaborators'];
  return [handleOf(account), ...(Array.isArray(others) ? others.map(String).slice(0, 1) : [])].join(', ');
}

/** A post in the feed: its first file decides the shape of all. */
export function InstagramPost(drawing: Drawing) {
  const { account, content, media, options } = drawing;
  const [first] = media;
  const comment = textOf(options, 'firstComment');
  return (
    <div>
      <div className={classes.head}>
        <Avatar account={account} />
        <bdi className={classes.name}>{namesOf(drawing)}</bdi>
        <Sign name="dots" />
      </div>
      {first && (
        <Pages
          count={media.length}
          ratio={shownRatio(first, { min: 0.75, max: 1.91, fallback: 1 })}
          hasCounter
        >
          {(place) => {
            const file = media[place];
            return file && <Shot key={file.url} media={file} place={place} options={options} />;
          }}
        </Pages>
      )}
      <div className={classes.signs}>
        <Sign name="heart" size={24} />
        <Sign name="bubble" size={24} />
        <Sign name="plane" size={24} />
        <span className={classes.save}>
          <Sign name="mark" size={24} />
        </span>
      </div>
      <div className={classes.caption}>
        <RichText
          text={content}
          platform="instagram"
          rule={{ characters: 125, lines: 3 }}
          lead={
            content.trim() === '' ? undefined : (
              <b>
                <bdi>{handleOf(account)}</bdi>{' '}
              </b>
            )
          }
        />
        <span className={classes.time}>{words.previews.justNow}</span>
      </div>
      {comment && <FirstComment account={account} text={comment} platform="instagram" />}
    </div>
  );
}

/** A reel, as it plays. */
export function InstagramReel(drawing: Drawing) {
  const { account, content, media, options, frameMs, cover } = drawing;
  const [video] = media;
  return (
    <Vertical
      signs={['heart', 'bubble', 'repeat', 'plane', 'dots']}
      foot={
        <>
          <Author account={account} name={namesOf(drawing)} />
          <RichText text={content} platform="instagram" rule={{ characters: 55, lines: 2 }} />
          <Sound name={textOf(options, 'audioName')} />
        </>
      }
    >
      {video && (
        <Shot media={video} place={0} options={options} frameMs={frameMs} cover={cover} hasLength={false} />
      )}
    </Vertical>
  );
}

/** A story of Instagram or Facebook: it has no text. */
export function Story({ account, media, options, content }: Drawing) {
  const [file] = media;
  return (
    <>
      <Vertical
        top={
          <>
            <span className={classes.bar} />
            <Author account={account} name={handleOf(account)}>
              <span>{words.previews.now}</span>
            </Author>
          </>
        }
      >
        {file && <Shot media={file} place={0} options={options} isWhole hasLength={false} />}
      </Vertical>
      {content.trim() !== '' && <p className={classes.note}>{words.previews.storyText}</p>}
    </>
  );
}
