/**
 * Exits with a one-line error if Node is too old to run the sources. `--require` loads this file before them, so it uses only syntax that
 * any version can parse.
 */
'use strict'

const { engines } = require('../package.json')
const [major, minor] = process.versions.node.split('.').map(Number)
const isEnough = engines.node.split(' || ').some((range) => {
  const [, operator, minMajor, minMinor] = /^(\^|>=)(\d+)\.(\d+)/.exec(range)
  return major === Number(minMajor)
    ? minor >= Number(minMinor)
    : operator === '>=' && major > Number(minMajor)
})
if (!isEnough) {
  process.stderr.write(
    `The service needs Node.js ${engines.node}. ${process.execPath} is ${process.version}.\n`,
  )
  process.exit(1)
}
