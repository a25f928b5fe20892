import { type Drawing, textOf } from './format.ts';

import { Author, handleOf, Pages, RichText, Shot, Sound, Vertical } from './parts.tsx';

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
          <Author account={account} name={handleOf(account)} />
          {title && <b dir="auto">{title}</b>}
          {!(isDraft && format === 'video') && (
            <RichText text={content} platform="tiktok" rule={{ characters: 80, lines: 2 }} />
          )}
          <Sound />
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
