import { lazy, Suspense, useState } from 'react';
import { Button } from '../components/button.tsx';
import { join } from '../components/classes.ts';
import { words } from '../words/words.ts';
import { acceptedInPicker } from './accepted.ts';
import type { DraftMedia } from './draft-media.ts';
import { FilePicker } from './file-picker.tsx';
import classes from './media-editor.module.css';
import type { MediaView } from './media-watch.tsx';

const AddressDialog = lazy(async () => ({ default: (await import('./address-dialog.tsx')).AddressDialog }));

interface AddFilesProps {
  isEmpty: boolean;
  left: number;
  mostItems: number;
  onChoose: (files: readonly File[]) => void;
  onImport: (media: DraftMedia) => void;
}

/** The ways to add files: from the disk, from the camera, and from an address. */
export function AddFiles({ isEmpty, left, mostItems, onChoose, onImport }: AddFilesProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <div className={join(classes['adding'], isEmpty && classes['empty'])}>
      {isEmpty && <p className={classes['invitation']}>{words.media.empty}</p>}
      {left > 0 ? (
        <div className={classes['buttons']}>
          <FilePicker
            label={words.media.add}
            icon="upload"
            accept={acceptedInPicker}
            isMultiple
            onChoose={onChoose}
          />
          <FilePicker
            label={words.media.take}
            accept="image/jpeg,video/mp4,video/quicktime"
            isCamera
            onChoose={onChoose}
          />
          <Button variant="quiet" icon="links" onPress={() => setAsking(true)}>
            {words.media.byAddress}
          </Button>
        </div>
      ) : (
        <p className={classes['help']}>{words.media.full(mostItems)}</p>
      )}
      {isEmpty && <p className={classes['help']}>{words.media.types}</p>}
      {isAsking && (
        <Suspense>
          <AddressDialog
            isOpen
            onClose={() => setAsking(false)}
            onAdd={(media) => {
              setAsking(false);
              onImport(importedFrom(media));
            }}
          />
        </Suspense>
      )}
    </div>
  );
}

const importedFrom = ({ id, publicUrl, type, filename }: MediaView): DraftMedia => ({
  url: publicUrl,
  type,
  mediaId: id,
  fileName: filename,
});
