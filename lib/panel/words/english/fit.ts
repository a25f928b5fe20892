/** Pictures that platforms get in another shape, and files that they get in another form. */
export const fit = {
  /** The choices for a picture. */
  title: (name: string) => `Fit of ${name}`,
  label: 'If a platform does not take its shape',
  none: 'As it is',
  noneNote: 'Platforms that do not take its shape refuse it.',
  pad: 'Pad',
  padNote: 'Bars at two sides. All of the picture stays in sight.',
  crop: 'Crop',
  cropNote: 'Two sides are cut off. You choose what stays in sight.',
  keeps: 'Platforms that take its shape get the picture as it is.',
  color: 'Color of the bars',
  done: 'Done',

  /** The control of a file. */
  open: 'Fit to platforms…',
  chosen: { pad: 'Fit: pad', crop: 'Fit: crop' } as const,
  change: (chosen: string, name: string) => `${chosen}. Change it for ${name}`,
  /** The remedies for a shape that a platform does not take. */
  applyPad: 'Pad',
  applyCrop: 'Crop…',
  applyPadTo: (name: string) => `Pad ${name}`,
  applyCropTo: (name: string) => `Crop ${name}`,

  focus: {
    label: 'Point that stays in sight',
    help: 'Click the picture, or drag the point. With the keyboard, use the arrow keys; with Shift they go further.',
    across: 'Point in sight, from left to right',
    down: 'Point in sight, from top to bottom',
    at: (across: number, down: number) => `${across}% from the left, ${down}% from the top`,
    frames: (platforms: string) => `${platforms} gets the part in the frame.`,
    middle: 'Back to the middle',
  },

  /** The choice of one account. */
  own: {
    label: 'Fit of pictures',
    inherited: 'As chosen for each file',
    override: 'Choose for this account',
    inherit: 'Use what is chosen for each file',
    fieldLabel: 'If the platform does not take the shape of a picture',
    none: 'Per file',
    wins: 'Files that only this account has keep their own choice.',
    all: (pictures: number) => `The point is the same for all ${pictures} pictures.`,
  },

  /** The forms in which a destination gets files. */
  adapted: {
    title: (platform: string) => `Made to fit ${platform}`,
    file: (place: number) => `File ${place}`,
    cover: 'Cover',
    of: (name: string, message: string) => `${name}: ${message}`,
    picture: (name: string, platform: string) => `${name}, as ${platform} gets it`,
  },
};
