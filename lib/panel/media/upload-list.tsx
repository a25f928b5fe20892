import { ProgressBar } from 'react-aria-components/ProgressBar';
import { useStore } from '../api/store.ts';
import { formatBytes } from '../bytes.ts';
import { Button } from '../components/button.tsx';
import { join } from '../components/classes.ts';
import { Icon } from '../components/icon.tsx';
import { IconButton } from '../components/icon-button.tsx';
import { Stack } from '../components/layout.tsx';
import { Notice } from '../components/notice.tsx';
import { words } from '../words/words.ts';
import classes from './media.module.css';
import { isOnItsWay, type Upload } from './upload-queue.ts';
import { cancelUpload, dismissLost, lostUploads, retryUpload } from './uploads.ts';

/** Files on their way to the service, and those that did not get there, with the reason. */
export function UploadList({ uploads }: { uploads: readonly Upload[] }) {
  if (uploads.length === 0) return null;
  return (
    <Stack as="ul" gap={2} aria-label={words.media.uploads.label}>
      {uploads.map((upload) => (
        <UploadRow key={upload.number} upload={upload} />
      ))}
    </Stack>
  );
}

function UploadRow({ upload }: { upload: Upload }) {
  const { number, fileName, state } = upload;
  const hasEnded = state.status === 'failed' || state.status === 'refused';
  const name = fileName || words.media.tile.image;
  return (
    <li className={join(classes.upload, hasEnded && classes.ended)}>
      <Stack gap={1}>
        <p className={classes.name} dir="auto">
          {name}
        </p>
        {hasEnded ? (
          <p className={classes.reason} role="alert">
            <Icon name="alert" size={14} />
            <span>{state.reason}</span>
          </p>
        ) : (
          <Progress upload={upload} name={name} />
        )}
      </Stack>
      {state.status === 'failed' && (
        <div className={classes.again}>
          <Button
            size="small"
            icon="refresh"
            aria-label={words.media.uploads.retry(name)}
            onPress={() => retryUpload(number)}
          >
            {words.media.again}
          </Button>
        </div>
      )}
      <IconButton
        icon="cross"
        size="small"
        label={isOnItsWay(upload) ? words.media.uploads.cancel(name) : words.media.uploads.dismiss(name)}
        onPress={() => cancelUpload(number)}
      />
    </li>
  );
}

function Progress({ upload, name }: { upload: Upload; name: string }) {
  const { state, sizeBytes } = upload;
  const sentBytes =
    state.status === 'sending' ? state.sentBytes : state.status === 'confirming' ? sizeBytes : 0;
  const progress = {
    waiting: words.media.uploads.waiting,
    preparing: words.media.uploads.preparing,
    sending: words.media.uploads.sent(formatBytes(sentBytes), formatBytes(sizeBytes)),
    confirming: words.media.uploads.confirming,
  }[state.status as 'waiting'];
  return (
    <ProgressBar
      aria-label={name}
      value={sentBytes}
      maxValue={Math.max(1, sizeBytes)}
      valueLabel={progress}
      className={classes.progress}
    >
      {({ valueText }) => (
        <>
          <span className={classes.words}>{valueText}</span>
          {/* Made for this: a bar of the browser would be announced twice. */}
          <svg className={classes.bar} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
            <rect className={classes.track} width="100" height="1" />
            <rect
              className={classes.done}
              width={sizeBytes === 0 ? 0 : (100 * sentBytes) / sizeBytes}
              height="1"
            />
          </svg>
        </>
      )}
    </ProgressBar>
  );
}

/** Names the uploads that a reload has ended. @param owner the list of files that they were for */
export function LostUploads({ owner }: { owner: string }) {
  const lost = useStore(lostUploads).filter((each) => each.owner === owner);
  if (lost.length === 0) return null;
  return (
    <Notice
      tone="warn"
      title={words.media.lost.title(lost.length)}
      isLive
      actions={
        <Button size="small" onPress={() => dismissLost(owner)}>
          {words.shared.actions.dismiss}
        </Button>
      }
    >
      {words.media.lost.text(lost.map(({ fileName }) => fileName))}
    </Notice>
  );
}
