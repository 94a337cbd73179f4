/** HTML that escapes by default. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flag, html, joined, nothing, raw } from '../../../src/platform/web/html.ts'

test('a template escapes texts in every position, but not markup', () => {
  const text = `<b a="1" c='2'>&`
  assert.equal(html`<p title="${text}">${text}</p>`.markup.includes('<b'), false)
  assert.equal(html`<p>${html`<i>${'<'}</i>`}</p>`.markup, '<p><i>&#60;</i></p>')
  assert.equal(html`${raw('<br>')}`.markup, '<br>')
  assert.equal(html`${[text]}`.markup.includes('<b'), false)
})

test('a template renders nothing for empty values, but renders zero', () => {
  assert.equal(html`[${null}${undefined}${false}${nothing}${[]}]`.markup, '[]')
  assert.equal(html`[${0}${''}]`.markup, '[0]')
})

test('a template joins lists, nested ones too, and renders only set flags', () => {
  const line = raw('<hr>')
  assert.equal(html`${[1, [line, 'x']]}`.markup, '1<hr>x')
  assert.equal(joined(['a', '<', line], raw('|')).markup, 'a|&#60;|<hr>')
  assert.equal(html`<input${flag('checked', true)}${flag('disabled', false)}>`.markup, '<input checked>')
})
