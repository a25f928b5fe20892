import type { AskedShape } from '../../media/renditions/adapt.ts';
import { Button } from '../components/button.tsx';
import { Dialog, DialogActions, DialogBody } from '../components/dialog.tsx';
import { Muted, Stack } from '../components/layout.tsx';
import { words } from '../words/words.ts';
import type { AdaptedFile } from './adapted.ts';
import { type DraftMedia, nameOf } from './draft-media.ts';
import { ShapeFields } from './shape-fields.tsx';

interface ShapeDialogProps {
  /** `undefined` once it is gone. */
  file: DraftMedia | undefined;
  adapted: readonly AdaptedFile[];
  onChange: (shape: AskedShape) => void;
  onClose: () => void;
}

/** The choice of what to do with a picture whose shape a platform does not take. What is chosen is kept as it is chosen. */
export function ShapeDialog({ file, adapted, onChange, onClose }: ShapeDialogProps) {
  return (
    <Dialog
      title={words.fit.title(file === undefined ? '' : nameOf(file))}
      isOpen={file !== undefined}
      size="medium"
      onClose={onClose}
    >
      {file !== undefined && (
        <>
          <DialogBody>
            <Stack gap={4}>
              <ShapeFields
                label={words.fit.label}
                file={file}
                shape={file.shape ?? {}}
                adapted={adapted}
                noneNote={words.fit.noneNote}
                onChange={onChange}
              />
              <Muted>{words.fit.keeps}</Muted>
            </Stack>
          </DialogBody>
          <DialogActions>
            <Button variant="primary" onPress={onClose}>
              {words.fit.done}
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}
