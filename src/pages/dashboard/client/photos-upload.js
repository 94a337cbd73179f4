// Uploads photos, several at once, scaled down first, each with its progress and outcome. Without this file the form sends one photo.
import { withPhotos } from './photos-section.js'
import { renewToken } from './renew-token.js'

let section
let words
let queue
let form
let summary

/** Files that are not being sent yet. */
const waiting = []
let running = 0

const room = () => Number(section.querySelector('[data-grid]').dataset.room)
const isHeic = ({ name, type }) => /^image\/hei[cf]/.test(type) || /\.hei[cf]$/i.test(name)
/** The types that the service accepts. */
const sendable = ['image/jpeg', 'image/png', 'image/webp']
/** Smaller files are not worth another encoding. */
const smallBytes = 1_500_000
const quality = 0.85
/** The longest time without a byte sent, and for the response after the last one. */
const patienceMs = 90_000

/**
 * Scales a picture: upright, at most as large as the service keeps, without the camera's metadata.
 * @returns the file itself if it is small already, or if this browser cannot read it, so that the service gives the reason
 */
async function scaled(file) {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null)
  if (picture === null) return file
  const scale = Math.min(1, Number(section.dataset.side) / Math.max(picture.width, picture.height))
  if (scale === 1 && file.size <= smallBytes && sendable.includes(file.type)) {
    picture.close()
    return file
  }
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(picture.width * scale)
  canvas.height = Math.round(picture.height * scale)
  const context = canvas.getContext('2d')
  // JPEG has no transparency.
  context.fillStyle = 'white'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
  return blob ?? file
}

/** The reason not to send a file, or null. */
function refusal(file, blob) {
  if (blob === file && isHeic(file)) return words.heic
  if (blob === file && file.type !== '' && !file.type.startsWith('image/')) return words.notAPicture
  return blob.size > Number(section.dataset.bytes) ? words.tooLarge : null
}

/** Sends one picture; `fetch` would report no progress. @returns status and response; status 0 if there was none */
function post(file, blob, onProgress) {
  const body = new FormData()
  // Before the file, so that the service can judge it first.
  body.append('_csrf', form.elements['_csrf'].value)
  body.append('photo', blob, file.name)
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('POST', form.action)
    request.setRequestHeader('accept', 'application/json')
    // A connection that hangs is closed, so that the person can try again.
    let patience = null
    const wait = () => {
      clearTimeout(patience)
      patience = setTimeout(() => request.abort(), patienceMs)
    }
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      wait()
      onProgress(loaded / total)
    })
    request.addEventListener('loadend', () => {
      clearTimeout(patience)
      let result = {}
      try {
        result = JSON.parse(request.responseText)
      } catch {
        // There is no response, or a proxy's.
      }
      resolve({ ...result, http: request.status })
    })
    wait()
    request.send(body)
  })
}

/**
 * Shows the state of a file.
 * @param progress null for no bar, undefined for one without a value
 * @param kind the outcome: `stored`, `duplicate`, `failed`, or `refused` if trying again cannot help
 */
function show(item, text, progress, kind) {
  item.querySelector('[data-state]').textContent = text
  const bar = item.querySelector('progress')
  bar.hidden = progress === null
  if (progress === undefined) bar.removeAttribute('value')
  else if (progress !== null) bar.value = progress
  item.classList.toggle('is-stored', kind === 'stored')
  item.classList.toggle('is-failed', kind === 'failed' || kind === 'refused')
  item.querySelector('[data-after]').hidden = kind === undefined || kind === 'stored'
  item.querySelector('[data-retry]').hidden = kind !== 'failed'
  item.dataset.kind = kind ?? ''
}

async function sendOne({ file, item }) {
  show(item, words.preparing, undefined)
  const blob = await scaled(file)
  const why = refusal(file, blob)
  if (why !== null) return show(item, why, null, 'refused')
  if (room() === 0) return show(item, words.noRoom, null, 'failed')
  const onProgress = (part) => {
    if (part < 1) show(item, words.sending.replace('{percent}', String(Math.floor(part * 100))), part)
    else show(item, words.storing, undefined)
  }
  onProgress(0)
  let result = await post(file, blob, onProgress)
  if (result.http === 403 && (await renewToken())) result = await post(file, blob, onProgress)
  if (result.to !== undefined) return show(item, section.dataset.sessionOver, null, 'failed')
  if (result.grid !== undefined) section.dispatchEvent(new CustomEvent('photos', { detail: result.grid }))
  if (result.status === 'stored') item.dataset.photo = result.photo
  if (result.status !== undefined) return show(item, result.message, null, result.status)
  show(item, result.error?.message ?? (result.http === 413 ? words.tooLarge : words.offline), null, 'failed')
}

async function work() {
  while (waiting.length > 0 && running < Number(section.dataset.parallel)) {
    running += 1
    const next = waiting.shift()
    sendOne(next)
      .catch(() => show(next.item, words.offline, null, 'failed'))
      .finally(() => {
        running -= 1
        if (running === 0 && waiting.length === 0) end()
        void work()
      })
  }
}

/** Shows the number of stored files. Screen readers also announce the others, with the reason. */
function sumUp() {
  const items = [...queue.children]
  const others = items.filter(({ dataset }) => dataset.kind !== 'stored')
  const text = words.summary.replace('{stored}', items.length - others.length).replace('{all}', items.length)
  summary.hidden = false
  summary.textContent = text
  const textOf = (item, part) => item.querySelector(part).textContent
  const more = others.map((item) => `${textOf(item, '[data-name]')}: ${textOf(item, '[data-state]')}`)
  section.querySelector('[data-announcement]').textContent = [text, ...more].join(' ')
}

/** Reports the order in which the files were chosen; they may have arrived in another. */
function end() {
  sumUp()
  const chosen = [...queue.children].flatMap(({ dataset }) => dataset.photo ?? [])
  section.dispatchEvent(new CustomEvent('photos-chosen', { detail: chosen }))
}

function add(files) {
  // Files of an earlier choice stay unless they are stored.
  if (running === 0) for (const item of queue.querySelectorAll('.is-stored')) item.remove()
  for (const file of files) {
    const item = section.querySelector('[data-queued]').content.firstElementChild.cloneNode(true)
    item.querySelector('[data-name]').textContent = file.name
    item.querySelector('progress').setAttribute('aria-label', file.name)
    const entry = { file, item }
    item.querySelector('[data-retry]').addEventListener('click', () => {
      show(item, words.waiting, null)
      summary.hidden = true
      waiting.push(entry)
      void work()
    })
    item.querySelector('[data-dismiss]').addEventListener('click', () => {
      item.remove()
      queue.hidden = queue.childElementCount === 0
    })
    show(item, words.waiting, null)
    queue.append(item)
    waiting.push(entry)
  }
  queue.hidden = queue.childElementCount === 0
  summary.hidden = true
  void work()
}

/** Opens the chooser of files, or on a phone the camera. */
function choose(isCamera) {
  const input = form.elements['photo']
  input.multiple = !isCamera
  input.toggleAttribute('capture', isCamera)
  input.click()
}

withPhotos((found) => {
  section = found
  words = section.querySelector('[data-queued]').dataset
  queue = section.querySelector('[data-queue]')
  form = section.querySelector('[data-upload]')
  summary = section.querySelector('[data-summary]')
  const drop = section.querySelector('[data-drop]')
  const isTouch = matchMedia('(pointer: coarse)').matches
  // HEIC is sent as JPEG if this browser can read it; otherwise its line gives the reason. Without scripts Safari converts it itself.
  form.elements['photo'].accept += ',image/heic,image/heif,.heic,.heif'
  section.querySelector('[data-plain]').hidden = true
  section.querySelector('[data-choices]').hidden = false
  section.querySelector('[data-camera]').hidden = !isTouch
  section.querySelector('[data-drop-hint]').hidden = isTouch
  section.querySelector('[data-choose]').addEventListener('click', () => choose(false))
  section.querySelector('[data-camera]').addEventListener('click', () => choose(true))
  form.elements['photo'].addEventListener('change', ({ target }) => {
    add([...target.files])
    // Otherwise the same file could not be chosen again.
    target.value = ''
  })
  const hasFiles = ({ dataTransfer }) => dataTransfer?.types.includes('Files')
  for (const name of ['dragenter', 'dragover', 'dragleave', 'drop']) {
    section.addEventListener(name, (event) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      const isOver = name === 'dragenter' || name === 'dragover'
      drop.classList.toggle('is-over', isOver)
      if (name === 'drop') add([...event.dataTransfer.files])
    })
  }
  // Leaving would lose files that are being sent.
  addEventListener('beforeunload', (event) => {
    if (running > 0) event.preventDefault()
  })
})
