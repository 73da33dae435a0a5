/** In place of what draws, which takes a second to load: answers at once. */
process.on('disconnect', () => process.exit(0))
process.on('message', () => process.send?.({ picture: '<svg/>', problems: [] }))
