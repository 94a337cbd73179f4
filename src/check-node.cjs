/** Ends with one line if Node is too old for the sources. Node loads it before them (`--require`), so any version has to understand it. */
'use strict'

const { engines } = require('../package.json')
const [major, minor] = process.versions.node.split('.').map(Number)
const isEnough = engines.node.split(' || ').some((range) => {
  const [, operator, leastMajor, leastMinor] = /^(\^|>=)(\d+)\.(\d+)/.exec(range)
  return major === Number(leastMajor)
    ? minor >= Number(leastMinor)
    : operator === '>=' && major > Number(leastMajor)
})
if (!isEnough) {
  process.stderr.write(
    `The service needs Node.js ${engines.node}. ${process.execPath} is ${process.version}.\n`,
  )
  process.exit(1)
}
