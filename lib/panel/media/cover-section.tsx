import { useEffect, useId } from 'react';
import type { Platform } from '../../platforms/contract/names.ts';
import { platformTitles } from '../accounts/platforms.ts';
import { useStore } from '../api/store.ts';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { words } from '../words/words.ts';
import { acceptedImages } from './accepted.ts';
import { takesCoverImage, takesFrame } from './cover.ts';
import classes from './cover-section.module.css';
import type { CoverChoice, DraftMedia } from './draft-media.ts';
import { FilePicker } from './file-picker.tsx';
import { FrameChoice } from './frame-choice.tsx';
import { Picture } from './picture.tsx';
import { UploadList } from './upload-list.tsx';
import { addFiles, cancelUpload, forgetUploads, uploads } from './uploads.ts';

const list = new Intl.ListFormat('en-GB');
const titlesOf = (platforms: readonly Platform[]) =>
  list.format([...new Set(platforms)].map((platform) => platformTitles[platform]));

interface CoverSectionProps {
  video: DraftMedia;
  cover: CoverChoice;
  owner: string;
  platforms: readonly Platform[];
  isDisabled: boolean;
  onChange: (cover: CoverChoice) => void;
}

/** How the video looks before it plays: a frame, or an image. */
export function CoverSection({ video, cover, owner, platforms, isDisabled, onChange }: CoverSectionProps) {
  const forFrame = platforms.filter(takesFrame);
  const forImage = platforms.filter(takesCoverImage);
  const titleId = useId();
  if (forFrame.length + forImage.length === 0) return null;
  return (
    <section className={classes['cover']} aria-labelledby={titleId}>
      <h3 id={titleId}>{words.media.cover.title}</h3>
      <div className={classes['choices']}>
        {forFrame.length > 0 && (
          <FrameChoice
            video={video}
            frameMs={cover.frameMs}
            platforms={titlesOf(forFrame)}
            isDisabled={isDisabled}
            onChange={(frameMs) => onChange({ ...cover, frameMs })}
            onClear={() => {
              const { frameMs: _old, ...rest } = cover;
              onChange(rest);
            }}
          />
        )}
        {forImage.length > 0 && (
          <ImageChoice
            image={cover.image}
            owner={owner}
            platforms={titlesOf(forImage)}
            isDisabled={isDisabled}
            onChange={(image) => {
              const { image: _old, ...rest } = cover;
              onChange({ ...rest, ...(image !== undefined && { image }) });
            }}
          />
        )}
      </div>
    </section>
  );
}

interface ImageChoiceProps {
  image: DraftMedia | undefined;
  owner: string;
  platforms: string;
  isDisabled: boolean;
  onChange: (image: DraftMedia | undefined) => void;
}

function ImageChoice({ image, owner, platforms, isDisabled, onChange }: ImageChoiceProps) {
  const own = useStore(uploads).filter((each) => each.owner === owner);
  const arrived = own.find(({ state }) => state.status === 'done');
  useEffect(() => {
    if (arrived?.state.status !== 'done') return;
    onChange(arrived.state.media);
    forgetUploads([arrived.number]);
  }, [arrived, onChange]);
  const running = own.filter(({ state }) => state.status !== 'done');
  return (
    <div className={classes['choice']}>
      <div className={classes['picture']}>
        {image === undefined ? (
          <span className={classes['sign']}>
            <Icon name="image" size={24} />
          </span>
        ) : (
          <Picture media={image} isSmall />
        )}
      </div>
      <div className={classes['controls']}>
        <p className={classes['label']}>{words.media.cover.image}</p>
        <p className={classes['help']}>{words.media.cover.imageFor(platforms)}</p>
        <UploadList uploads={running} />
        {!isDisabled && (
          <div className={classes['buttons']}>
            <FilePicker
              accept={acceptedImages}
              label={image === undefined ? words.media.cover.addImage : words.media.cover.replaceImage}
              size="small"
              icon="upload"
              onChoose={(files) => {
                for (const { number } of running) cancelUpload(number);
                addFiles(owner, files.slice(0, 1), { isForCover: true });
              }}
            />
            {image !== undefined && (
              <Button size="small" variant="quiet" icon="trash" onPress={() => onChange(undefined)}>
                {words.media.cover.removeImage}
              </Button>
            )}
          </div>
        )}
      </div>
    </div>
  );
}
