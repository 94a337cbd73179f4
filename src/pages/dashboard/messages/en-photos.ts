/**
 * English: the photos of a listing, from files or by URL, and their order.
 */
import type { photos as spanish } from './es-photos.ts'

export const photos: typeof spanish = {
  photos: {
    of: (count, most) => `${count} of ${most}`,
    rules: (megabytes) => `JPEG, PNG or WebP, up to ${megabytes} MB each. The first one is the cover.`,
    toPublish: (count) =>
      count === 1 ? '1 more photo is needed to publish.' : `${count} more photos are needed to publish.`,
    fewest: (count) =>
      `A published listing needs at least ${count} photos. To remove one, first add another.`,
    full: (most) => `It has ${most} photos, the maximum. To add another, first remove one.`,
    none: 'There are no photos yet',
    cover: 'Cover',
    keys: 'To change the order, drag the photo or press the arrow keys on this button.',
    move: (index, count) => `Move photo ${index} of ${count}`,
    earlier: (index) => `Move photo ${index} earlier`,
    later: (index) => `Move photo ${index} later`,
    makeCover: (index) => `Make photo ${index} the cover`,
    remove: (index) => `Remove photo ${index}`,
    removeNow: 'Yes, remove it',
    addOne: 'Add a photo',
    choose: 'Choose photos',
    takePicture: 'Take a picture',
    drop: 'or drag them here',
    upload: 'Upload the photo',
    waiting: 'Waiting',
    preparing: 'Preparing…',
    sending: (percent) => `Uploading: ${percent}%`,
    dismiss: 'Remove from the list',
    noRoom: (most) => `No room for it: a listing can have up to ${most} photos.`,
    tooSlow:
      'The connection was too slow, and the photo did not finish uploading. Try again with a better connection or a smaller photo.',
    heic: 'This browser cannot read HEIC photos. Upload it from the iPhone, which converts it, or save it as JPEG first.',
    offline: 'The connection was lost. Try again.',
    sessionOver: 'Your session has ended. Sign in in another tab, then try again here.',
    summary: (stored, all) => `Photos uploaded: ${stored} of ${all}.`,
    statuses: {
      stored: 'Saved',
      duplicate: 'The listing already has this photo',
      failed: 'Could not be saved',
    },
    movedTo: (place, count) => `The photo is now number ${place} of ${count}.`,
    removed: (count) => `Photo removed. ${count} left.`,
    conflict:
      'The photos changed while you were looking at them. Here they are as they are now: your last change was not saved.',
    notSaved: 'The change was not saved. Try again.',
    byUrl: 'Add by URL',
    urls: 'URLs of the photos',
    urlsHint: 'One per line, with https://. The service downloads them.',
    urlsAdd: 'Download and add',
    urlsNone: 'Enter at least one URL.',
    urlsOdd: (lines) => `Check these lines: ${lines}. Each must be a public URL with https://.`,
    urlsMany: (most) => `Too many: a listing can have up to ${most} photos.`,
  },
  photoWhy: {
    empty: 'The file is empty. Choose another.',
    no_picture:
      'It is not a JPEG, PNG or WebP photo. If it is a HEIC photo from an iPhone, upload it as JPEG.',
    damaged: 'The photo is damaged or incomplete. Use another copy.',
    too_many_pixels: (megapixels) => `It has more than ${megapixels} megapixels. Use a smaller version.`,
    too_much_memory: 'It takes too much memory to open. Save it as an 8-bit RGB JPEG.',
    too_large: (megabytes) => `It is larger than ${megabytes} MB. Use a smaller version.`,
    status: (status) => `The site answered with status ${status} instead of the photo.`,
    redirects: 'The site redirects too many times. Use the final URL of the photo.',
    refused: 'The service does not download from that URL. Use a public one with https://.',
    no_public_ip: 'The site of the URL does not exist or is not public. Check the URL.',
    no_dns: 'The site could not be found in time. Try again.',
    slow: 'The site took too long to send the photo. Try again later.',
    no_location: 'The site redirects without saying where. Use the final URL of the photo.',
    no_certificate: 'The site has no valid certificate. Use another URL, or upload the photo from a file.',
    unreachable: 'The site could not be reached, or the connection was lost. Try again later.',
    gone: 'That photo no longer belongs to the listing.',
    ours: 'We could not save it. Try again.',
  },
}
